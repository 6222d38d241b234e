import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const newPage = (args: Record<string, unknown>) => site.data('create_page', args);

describe('sections', () => {
  const texts = async (page: string) =>
    (await site.data('get_page', { page })).sections.map(
      (section: { props: { heading: string } }) => section.props.heading,
    );
  const heading = (text: string) => ({ type: 'hero', props: { heading: text } });

  it('go where they are put', async () => {
    const { id } = await newPage({ title: 'Places', sections: [heading('a'), heading('b')] });
    const [a, b] = (await site.data('get_page', { page: id })).sections;
    let rev = 1;
    const add = async (text: string, position?: object) => {
      const result = await site.call('add_section', { page: id, rev, ...heading(text), ...(position && { position }) });
      rev = result.rev!;
      return (result.data as { section: { id: string; index: number } }).section;
    };
    await add('end');
    await add('after a', { after: a.id });
    await add('before b', { before: b.id });
    expect(await add('first', { index: 0 })).toMatchObject({ index: 0 });
    await add('far', { index: 99 });
    expect(await texts(id)).toEqual(['first', 'a', 'after a', 'before b', 'b', 'end', 'far']);
  });

  it('are updated one at a time', async () => {
    const { id } = await newPage({ title: 'One', sections: [heading('a'), heading('b')] });
    const [, b] = (await site.data('get_page', { page: id })).sections;
    const result = await site.call('update_section', { page: id, rev: 1, section: b.id, set: { text: 'more' } });
    expect(result).toMatchObject({
      rev: 2,
      data: { section: { id: b.id, index: 1, props: { heading: 'b', text: 'more' } } },
    });
    expect(await texts(id)).toEqual(['a', 'b']);
  });

  it.each([
    ['add_section', { type: 'hero', props: {} }, 'validation_failed', 'props.heading'],
    ['add_section', { type: 'marquee', props: {} }, 'validation_failed', 'type'],
    ['add_section', { ...heading('x'), position: { after: 'se_none' } }, 'not_found', undefined],
    ['add_section', { ...heading('x'), position: { index: 0, before: 'se_1' } }, 'validation_failed', 'position'],
    ['add_section', { ...heading('x'), position: { index: -1 } }, 'validation_failed', 'position.index'],
    ['add_section', { ...heading('x'), rev: 7 }, 'rev_conflict', undefined],
    ['add_section', { ...heading('x'), rev: undefined }, 'validation_failed', 'rev'],
    ['update_section', { section: 'se_none', set: {} }, 'not_found', undefined],
    ['update_section', { section: 'SECTION', set: { heading: 5 } }, 'validation_failed', 'set.heading'],
    ['update_section', { section: 'SECTION', set: { colour: 'red' } }, 'validation_failed', 'set.colour'],
    ['update_section', { section: 'SECTION', unset: ['heading'] }, 'validation_failed', 'set.heading'],
    ['update_section', { section: 'SECTION', set: {}, rev: 9 }, 'rev_conflict', undefined],
  ])('%s refuses %j', async (tool, args, code, path) => {
    const { id } = await newPage({
      title: 'x',
      slug: `s-${Math.random().toString(36).slice(2)}`,
      sections: [heading('a')],
    });
    const [section] = (await site.data('get_page', { page: id })).sections;
    const filled = JSON.parse(JSON.stringify({ page: id, rev: 1, ...args }).replace('SECTION', section.id));
    expect(await site.refusal(tool, filled)).toMatchObject({ code, ...(path && { details: { path } }) });
    expect((await site.data('get_page', { page: id })).rev).toBe(1);
  });
});
