import { useQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { thumbnailQuery } from '../../api/media.ts';
import { plainText } from '../../components/quoted-parts.ts';

/** A small picture of an image; `alt` is empty where its name stands beside it. */
export function Thumbnail({ site, asset, alt }: { site: string; asset: string; alt: string }) {
  const { data } = useQuery(thumbnailQuery(site, asset));
  if (data === undefined) return null;
  if (data === null) return <ImageOff aria-hidden="true" />;
  return <img src={data} alt={plainText(alt)} />;
}
