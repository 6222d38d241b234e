import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * What was signed about a chain at one moment. As text it is a checkpoint in a signed note (https://c2sp.org/tlog-checkpoint,
 * https://c2sp.org/signed-note), with extension lines of our own:
 *
 *     cloudhal.audit/<chain>
 *     <seq>
 *     <root, base64>
 *     from <seq of the segment's first event>
 *     head <hash of the event at seq, base64>
 *     previous <SHA-256 of the checkpoint before, base64; or "none">
 *     at <ISO 8601>
 *
 *     — cloudhal.audit <key id and Ed25519 signature, base64>
 */
export type Checkpoint = {
  chain: string;
  seq: number;
  /** RFC 6962, over the event hashes from `from` to `seq`. */
  root: Buffer;
  from: number;
  head: Buffer;
  previous: Buffer | undefined;
  at: string;
};

const signer = 'cloudhal.audit';

export function signCheckpoint(checkpoint: Checkpoint, privateKey: KeyObject): string {
  const text = checkpointText(checkpoint);
  const signature = Buffer.concat([keyId(createPublicKey(privateKey)), sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${signer} ${signature.toString('base64')}\n`;
}

/** The checkpoint in a note that one of the keys signed; else undefined. */
export function openCheckpoint(note: string, publicKeys: readonly KeyObject[]): Checkpoint | undefined {
  const [, text, signature] = /^([\s\S]*\n)\n— cloudhal\.audit ([A-Za-z0-9+/]+=*)\n$/.exec(note) ?? [];
  if (text === undefined || signature === undefined) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  const key = publicKeys.find((key) => key.asymmetricKeyType === 'ed25519' && keyId(key).equals(bytes.subarray(0, 4)));
  if (key === undefined || !verify(null, Buffer.from(text), key, bytes.subarray(4))) return undefined;
  return parseText(text);
}

/** The checkpoint in a note whose signature does not matter. */
export function readCheckpoint(note: string): Checkpoint | undefined {
  return parseText(note.slice(0, note.indexOf('\n\n') + 1));
}

/** What the next checkpoint names as `previous`. */
export function noteDigest(note: string): Buffer {
  return createHash('sha256').update(note).digest();
}

/** The notes in a file of them. What was cut short by a crash at its end is no note and is left out. */
export function splitNotes(text: string): string[] {
  return text.match(/(?:[^\n]+\n)+\n— [^\n]*\n/g) ?? [];
}

function checkpointText({ chain, seq, root, from, head, previous, at }: Checkpoint): string {
  return [
    `${signer}/${chain}`,
    String(seq),
    root.toString('base64'),
    `from ${from}`,
    `head ${head.toString('base64')}`,
    `previous ${previous?.toString('base64') ?? 'none'}`,
    `at ${at}\n`,
  ].join('\n');
}

const hash = '([A-Za-z0-9+/]{43}=)';
const shape = new RegExp(
  `^cloudhal\\.audit/([\\w.-]+)\n(\\d+)\n${hash}\nfrom (\\d+)\nhead ${hash}\nprevious (?:none|${hash})\nat ([^\\n]+)\n$`,
);

function parseText(text: string): Checkpoint | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, chain, seq, root, from, head, previous, at] = match as unknown as string[];
  return {
    chain: chain!,
    seq: Number(seq),
    root: Buffer.from(root!, 'base64'),
    from: Number(from),
    head: Buffer.from(head!, 'base64'),
    previous: previous === undefined ? undefined : Buffer.from(previous, 'base64'),
    at: at!,
  };
}

/** The first four bytes of SHA-256(name ‖ "\n" ‖ 0x01 ‖ public key), as signed notes have it. */
function keyId(key: KeyObject): Buffer {
  const raw = key.export({ type: 'spki', format: 'der' }).subarray(-32);
  return createHash('sha256').update(`${signer}\n\u0001`).update(raw).digest().subarray(0, 4);
}
