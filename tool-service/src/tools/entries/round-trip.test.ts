import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyBody, bodies } from '../../body/testing/bodies.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
  await site.call('propose_person', { set: { name: 'Ada' }, reason: 'x' });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

type Args = Record<string, unknown>;
const bodyOf = async (entry: string, more: Args = {}): Promise<string> =>
  (await site.data('get_entry', { entry, maxTokens: 50_000, ...more })).body;
const head = async () => (await site.data('get_site', { include: [] })) as { snapshot: string; liveSnapshot: string };
const create = (body: string) =>
  site.data('create_entry', { type: 'article', fields: { title: 'T' }, body, slug: slug() });

let made = 0;
const slug = () => `s${++made}`;
/** What can be stored at all. */
const storable = (text: string) => !text.includes('\0') && !/[\uD800-\uDFFF]/u.test(text);

/** Both bodies through every tool that writes one; each must come out as it went in. */
async function roundTrip(first: string, second: string): Promise<void> {
  const { id, rev } = await create(first);
  const created = (await head()).snapshot;
  expect(await bodyOf(id)).toBe(first);
  const read = (await site.data('get_entry', { entry: id, bodyFormat: 'blocks' })).blocks as {
    id: string;
    text: string;
  }[];
  for (const { text } of read) expect(first).toContain(text);

  // What was read, written again, is no change.
  expect(await site.call('update_entry', { entry: id, rev, body: first })).toMatchObject({ changed: false });
  if (read.length > 0) {
    const ops = read.slice(0, 3).map(({ id: block, text: content }) => ({ op: 'replace', block, content }));
    expect(await site.call('patch_draft', { entry: id, rev, ops })).toMatchObject({ changed: false });
    expect(await bodyOf(id)).toBe(first);
  }

  const updated = await site.call('update_entry', { entry: id, rev, body: second });
  expect(await bodyOf(id)).toBe(second);
  if (second !== '' && updated.changed) {
    await site.call('edit_body', { entry: id, rev: rev + 1, edits: [{ find: second, replace: `${second}!` }] });
    expect(await bodyOf(id)).toBe(`${second}!`);
    await site.call('undo_change', { snapshot: (await head()).snapshot });
    expect(await bodyOf(id)).toBe(second);
  }

  const copy = await site.data('duplicate_entry', { entry: id, slug: slug() });
  expect(await bodyOf(copy.id)).toBe(second);
  const items = [{ slug: slug(), frontmatter: { title: 'T' }, body: first }];
  const imported = (await site.data('import_entries', { type: 'article', items })).items[0].id;
  expect((await site.data('get_entry', { entry: imported })).untrusted[0].body).toBe(first);

  await site.publish(id);
  expect(await bodyOf(id, { view: 'live' })).toBe(second);
  const now = await site.data('get_entry', { entry: id });
  await site.call('restore_node', { node: id, from: 'snapshot', snapshot: created, rev: now.rev });
  expect(await bodyOf(id)).toBe(first);
  expect(await bodyOf(id, { view: 'live' })).toBe(second);
  await site.call('delete_entry', { entry: copy.id, rev: 1 });
  await site.call('restore_node', { node: copy.id, from: 'trash' });
  expect(await bodyOf(copy.id)).toBe(second);
}

describe('a body is what was written, byte for byte, through every tool that writes one', () => {
  const known = Object.entries(bodies).filter(([, body]) => storable(body));
  it.each(known)('%s', async (_, body) => {
    await roundTrip(body, `${body}\n`);
  });

  it('whatever it is', async () => {
    const any = anyBody.filter(storable);
    await fc.assert(fc.asyncProperty(any, any, roundTrip), { numRuns: 12 });
  });

  it('in a text section, too', async () => {
    const { id, rev } = await site.data('create_page', { title: 'Page' });
    let at: number = rev;
    for (const markdown of Object.values(bodies).filter(storable)) {
      const added = await site.call('add_section', { page: id, rev: at, type: 'text', props: { markdown } });
      at = added.rev!;
    }
    const { sections } = await site.data('get_page', { page: id, maxTokens: 50_000 });
    expect(sections.map(({ props }: { props: { markdown: string } }) => props.markdown)).toEqual(
      Object.values(bodies).filter(storable),
    );
    const [first] = sections as { id: string; props: object }[];
    const again = { page: id, rev: at, section: first!.id, set: first!.props };
    expect(await site.call('update_section', again)).toMatchObject({ changed: false });
  });

  it('and what cannot be stored exactly is refused', async () => {
    for (const body of ['a\0b', 'a\ud800b']) {
      const error = await site.refusal('create_entry', { type: 'article', fields: { title: 'T' }, body });
      expect(error.code).toBe('invalid_unicode');
    }
  });
});

describe('what a change does not name stays as it is', () => {
  const everything = {
    type: 'article',
    fields: { title: 'All', summary: ' spaced  ', publishedOn: '2026-01-01', seoTitle: 'é\u0301', source: 'x\r\ny' },
    body: 'One.\r\n\r\nTwo. \n',
    bylines: ['ada'],
  };
  let id: string;
  let rev: number;
  beforeAll(async () => {
    ({ id, rev } = await site.data('create_entry', { ...everything, slug: 'all' }));
    await site.call('add_correction', { entry: id, rev, text: 'Was wrong.', kind: 'correction' });
  });

  type Members = Record<string, unknown>;
  const members = async (): Promise<Members> => {
    const [{ body, rev: now }] = (await site.view().nodes([id])) as unknown as [{ body: Members; rev: number }];
    rev = now;
    return body;
  };

  it.each<[string, string, Args, string[]]>([
    ['a field', 'update_entry', { set: { seoDescription: 'New' } }, ['fields.seoDescription']],
    ['a field taken away', 'update_entry', { unset: ['seoDescription'] }, ['fields.seoDescription']],
    ['bylines', 'update_entry', { bylines: [] }, ['bylines']],
    ['the slug', 'update_entry', { slug: 'all-new' }, ['slug']],
    ['the body', 'update_entry', { body: 'Three.\n\n' }, ['body', 'blocks']],
    ['words', 'edit_body', { edits: [{ find: 'Three', replace: 'Four' }] }, ['body', 'blocks']],
    ['blocks', 'patch_draft', { ops: [{ op: 'insert', after: 'end', content: 'Five.' }] }, ['body', 'blocks']],
    ['a correction', 'add_correction', { text: 'Again.', kind: 'update' }, ['corrections']],
  ])('%s by %s', async (_, tool, args, touched) => {
    const before = flat(await members());
    const result = await site.call(tool, { entry: id, rev, ...args });
    expect(result.changed).toBe(true);
    const after = flat(await members());
    const names = [...new Set([...before.keys(), ...after.keys()])];
    const changed = names.filter((name) => before.get(name) !== after.get(name));
    expect(changed.filter((name) => !touched.some((may) => name === may))).toEqual([]);
  });

  it('nor by a translation, which has its own', async () => {
    const before = await members();
    await site.call('save_translation', {
      node: id,
      locale: 'de',
      rev: 0,
      sourceRev: rev,
      fields: { title: 'Alles' },
      body: 'Drei.\r\n',
    });
    expect(await members()).toEqual(before);
    const [translated] = (await site.data('list_entries', { type: 'article', locale: 'de' })).entries;
    expect(await bodyOf(translated.id)).toBe('Drei.\r\n');
  });
});

/** Members by dotted names, those of `fields` one by one. */
function flat(body: Record<string, unknown>): Map<string, string> {
  const { fields, ...others } = body as { fields: object };
  const all = [...Object.entries(others), ...Object.entries(fields).map(([name, value]) => [`fields.${name}`, value])];
  return new Map(all.map(([name, value]): [string, string] => [String(name), JSON.stringify(value)]));
}
