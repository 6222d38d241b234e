import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEntry } from '../../content/entries.ts';
import { servePage } from '../../site/site-page.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
const reason = 'The desk asked for it.';
const text = { type: 'string', maxLength: 200 };
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

type Args = Record<string, unknown>;
const propose = (type: string, ops: Args[], more: Args = {}) =>
  site.data('propose_content_type', { type, ops, reason, ...more });
const make = (type: string, fields: Args, more: Args = {}) => site.data('create_entry', { type, fields, ...more });
const fieldsOf = async (entry: string) => (await site.data('get_entry', { entry })).fields;
const served = (path: string) => servePage(site.database, { site: 'example', path, basePath: '' });
const revOf = async (type: string): Promise<number> => (await site.data('get_content_type', { type })).rev;

describe('a new type', () => {
  it('is one snapshot that takes a person, and its entries are made, listed and shown like others', async () => {
    const ops = [
      { op: 'add', field: 'startsOn', schema: { type: 'string', format: 'date' }, required: true },
      { op: 'add', field: 'place', schema: { ...text, title: 'Where' } },
    ];
    const args = { type: 'event', title: 'Events', pathPrefix: '/events', ops, reason };
    const { seq } = await site.check();
    const assessment = await site.assess('propose_content_type', args);
    expect(assessment.effect).toBe('person');
    expect(assessment.summary.lines.slice(0, 3)).toEqual([
      'A new field "startsOn", required, a date.',
      expect.stringContaining('"place"'),
      'There are no entries of this type yet.',
    ]);
    await site.call('propose_content_type', args);
    expect((await site.check()).seq).toBe(seq + 1);

    const { schema, example } = await site.data('get_content_type', { type: 'event' });
    expect(schema.required).toEqual(['title', 'startsOn']);
    expect((await site.data('list_content_types')).contentTypes).toContainEqual(
      expect.objectContaining({ name: 'event', pathPrefix: '/events' }),
    );
    await make('event', example, { slug: 'example-event' });
    expect(
      await site.refusal('create_entry', { type: 'event', fields: { title: 'X', startsOn: 'soon' } }),
    ).toMatchObject({
      code: 'validation_failed',
      details: { path: 'fields.startsOn' },
    });
    const { id } = await make('event', { title: 'Fair', startsOn: '2026-12-24', place: 'Hall <1>' });
    const { entries } = await site.data('list_entries', { type: 'event', where: { startsOn: { gt: '2026-12-01' } } });
    expect(entries).toMatchObject([{ id, path: '/events/fair' }]);

    const plan = await site.data('get_publish_plan', { what: { nodes: [id] } });
    expect(plan.problems).toEqual([]);
    const publish = { what: { nodes: [id] }, expectDraft: (await site.data('get_site')).snapshot };
    expect(await site.assess('publish', publish)).toMatchObject({ effect: 'person', problems: [] });
    await site.call('publish', publish);
    expect((await served('/events')).html).toMatch(/Events[\s\S]*\/events\/fair/);
    expect((await served('/events/fair')).html).toMatch(
      /<dt>Starts on<\/dt>.*<dt>Where<\/dt><dd>Hall &lt;1&gt;<\/dd>/s,
    );
    expect((await served('/')).html).toContain('Article');
  });

  it('is what readers were given with its first entry, whatever becomes of the draft', async () => {
    const { snapshot } = await site.data('get_site');
    const { rev } = await propose('gig', [], { title: 'Gigs', pathPrefix: '/gigs' });
    const { id } = await make('gig', { title: 'Loud' });
    const expectDraft = async () => (await site.data('get_site')).snapshot;
    const { data } = await site.call('create_release', { title: 'Gigs', items: [{ node: id }] });
    const release = (data as { id: string }).id;
    await site.call('publish', { what: { release }, expectDraft: await expectDraft() });
    const type = await site.view().get('content_type', 'gig', { track: 'live' });
    await propose('gig', [], { rev, title: 'Secret concerts' });
    await site.call('update_entry', { entry: id, rev: 1, set: { title: 'Louder' } });
    const { problems } = await site.data('get_publish_plan', { what: { nodes: [id] } });
    expect(problems).toEqual(['"Louder" is of type gig, whose newest version is not live.']);
    expect((await served('/gigs/loud')).html).toMatch(/^(?!.*Secret)(?=.*Gigs)/s);

    await site.call('rollback', { snapshot, track: 'draft', reason });
    expect(await served('/gigs/loud')).toMatchObject({ status: 200 });
    const publish = async (...nodes: string[]) => ({ what: { nodes }, expectDraft: await expectDraft() });
    expect(await site.refusal('publish', await publish(type.id))).toMatchObject({
      code: 'in_use',
      details: { node: type.id, by: [id] },
    });
    await site.call('publish', await publish(type.id, id));
    expect((await served('/gigs/loud')).status).toBe(404);
  });

  it('that readers do not know hides no entry of it, and shows nothing of its draft', async () => {
    await propose('fete', [{ op: 'add', field: 'place', schema: { ...text, title: 'Secret place' } }], {
      title: 'Secret fetes',
      pathPrefix: '/fetes',
    });
    await site.addTerms('topics', 'sea');
    const sections = [{ type: 'entries', props: { type: 'fete', limit: 5 } }];
    const page = await site.data('create_page', { title: 'What is on', slug: 'on', sections });
    const { id } = await make('fete', { title: 'Dance', place: 'Hall' }, { terms: { topics: ['sea'] } });
    const term = await site.view().get('term', '/topics/sea');
    await site.publish(id, page.id, term.id);
    for (const path of ['/fetes/dance', '/on', '/topics/sea']) {
      const { status, html } = await served(path);
      expect(status, path).toBe(200);
      expect(html).toMatch(/^(?!.*Secret)(?=.*Dance)/s);
    }
  });

  it.each<[Args, string, string?]>([
    [{ type: 'Event' }, 'type'],
    [{ type: 'person' }, 'type'],
    [{ type: 'constructor' }, 'type'],
    [{ title: undefined }, 'title'],
    [{ pathPrefix: 'x' }, 'pathPrefix'],
    [{ pathPrefix: '/a/b' }, 'pathPrefix'],
    [{ pathPrefix: '/api' }, 'pathPrefix'],
    [{ pathPrefix: '/de' }, 'pathPrefix'],
    [{ ops: [{ op: 'add', field: 'title', schema: text }] }, 'ops[0].field'],
    [{ ops: [{ op: 'add', field: '__proto__', schema: text }] }, 'ops[0].field'],
    [{ ops: [{ op: 'add', field: 'toString', schema: text }] }, 'ops[0].field'],
    [{ ops: [{ op: 'add', field: 'x' }] }, 'ops[0].schema'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'object' } }] }, 'ops[0].schema.type'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'string', pattern: '(a+)+$' } }] }, 'ops[0].schema.pattern'],
    [{ ops: [{ op: 'add', field: 'x', schema: { $ref: 'https://x' } }] }, 'ops[0].schema.type'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'number', maxLength: 3 } }] }, 'ops[0].schema.maxLength'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'string', references: 'novel' } }] }, 'ops[0].schema.references'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'array' } }] }, 'ops[0].schema.items'],
    [{ ops: [{ op: 'add', field: 'x', schema: { type: 'integer', default: 'no' } }] }, 'ops[0].schema.default'],
    [{ ops: [{ op: 'change', field: 'x', required: true }] }, 'ops[0].field'],
    [{ ops: [{ op: 'remove', field: 'x' }] }, 'ops[0].field'],
  ])('refuses %j', async (args, path) => {
    const { seq } = await site.check();
    const call = { type: 'odd', title: 'Odd', ops: [], reason, ...args };
    expect(await site.refusal('propose_content_type', JSON.parse(JSON.stringify(call)))).toMatchObject({
      code: 'validation_failed',
      details: { path },
    });
    expect((await site.check()).seq).toBe(seq);
  });

  it('does not take the place of another', async () => {
    const call = { type: 'news', title: 'News', ops: [], reason, pathPrefix: '/articles' };
    expect(await site.refusal('propose_content_type', call)).toMatchObject({ code: 'slug_taken' });
  });
});

describe('a change of a type', () => {
  let ids: string[];
  beforeAll(async () => {
    await propose(
      'recipe',
      [
        { op: 'add', field: 'serves', schema: text },
        { op: 'add', field: 'old', schema: text },
      ],
      {
        title: 'Recipes',
      },
    );
    ids = [];
    for (const fields of [{ serves: '4', old: 'x' }, { serves: 'four' }, {}]) {
      ids.push((await make('recipe', { title: `R${ids.length}`, ...fields }, { body: 'Text.\r\n' })).id);
    }
  });

  it('that an entry cannot follow is refused with who and why, and nothing changes', async () => {
    const { seq } = await site.check();
    const ops = [{ op: 'change', field: 'serves', schema: { type: 'string', enum: ['2', '4'] } }];
    const error = await site.refusal('propose_content_type', { type: 'recipe', rev: 1, ops, reason });
    expect(error).toMatchObject({
      code: 'validation_failed',
      details: { count: 1, misfits: [{ id: ids[1], why: expect.stringContaining('fields.serves') }] },
    });
    expect(error.message).toContain(ids[1]);
    const required = [{ op: 'add', field: 'minutes', schema: { type: 'integer' }, required: true }];
    expect(
      await site.refusal('propose_content_type', { type: 'recipe', rev: 1, ops: required, misfits: 'unset', reason }),
    ).toMatchObject({ details: { count: 3 } });
    expect((await site.check()).seq).toBe(seq);
  });

  it('takes all entries along in one snapshot, says before what becomes of them, and can be undone', async () => {
    const ops = [
      { op: 'change', field: 'serves', schema: { type: 'string', enum: ['2', '4'] }, to: 'portions' },
      { op: 'remove', field: 'old' },
      { op: 'add', field: 'minutes', schema: { type: 'integer', minimum: 1, default: 30 }, required: true },
    ];
    const args = { type: 'recipe', rev: 1, ops, misfits: 'unset', reason };
    const { summary, base } = await site.assess('propose_content_type', args);
    expect(summary.lines).toContain('2 of 3 entries fit; 2 of them change with the type.');
    expect(summary.lines).toContain('1 do not fit and lose the values that do not:');
    expect(summary.lines.join()).toContain(ids[1]);
    expect(base.diff).toMatch(/^[0-9a-f]{64}$/);

    const before = await site.check();
    const snapshots = await site.view().snapshots({ limit: 1 });
    const { snapshot } = await site.call('propose_content_type', args);
    const after = await site.check();
    expect(after.seq).toBe(before.seq + 1);
    expect(await Promise.all(ids.map(fieldsOf))).toEqual([
      { title: 'R0', portions: '4', minutes: 30 },
      { title: 'R1', minutes: 30 },
      { title: 'R2', minutes: 30 },
    ]);
    expect((await site.data('get_entry', { entry: ids[0]! })).body).toBe('Text.\r\n');
    expect(await site.refusal('propose_content_type', args)).toMatchObject({ code: 'validation_failed' });

    expect((await site.assess('undo_change', { snapshot })).effect).toBe('person');
    await site.call('undo_change', { snapshot });
    expect((await site.check()).draft).toBe(before.draft);

    await site.call('rollback', { snapshot, track: 'draft', reason });
    expect((await site.check()).draft).toBe(after.draft);
    await site.call('rollback', { snapshot: snapshots.items[0]!.id, track: 'draft', reason });
    expect((await site.check()).draft).toBe(before.draft);
    expect(await fieldsOf(ids[1]!)).toEqual({ title: 'R1', serves: 'four' });
  });

  it('needs the rev that was read, and leaves addresses alone', async () => {
    const ops = [{ op: 'remove', field: 'old' }];
    const rev = await revOf('recipe');
    const call = (more: Args) => site.refusal('propose_content_type', { type: 'recipe', ops, reason, ...more });
    expect(await call({})).toMatchObject({ details: { path: 'rev' } });
    expect(await call({ rev: rev + 1 })).toMatchObject({ code: 'rev_conflict' });
    expect(await call({ rev, pathPrefix: '/cooking' })).toMatchObject({ details: { path: 'pathPrefix' } });
  });

  it('of the built-in type keeps every article that is there', async () => {
    const { id } = await make('article', { title: 'Kept', summary: 'S' });
    const call = { rev: await revOf('article') };
    const { entries } = await propose('article', [{ op: 'add', field: 'dateline', schema: text }], call);
    expect(entries).toMatchObject({ unchanged: entries.entries, migrated: 0 });
    await site.call('update_entry', { entry: id, rev: 1, set: { dateline: 'Oslo' } });
    expect(await fieldsOf(id)).toEqual({ title: 'Kept', summary: 'S', dateline: 'Oslo' });
  });

  it('swaps names, and looks up what is to name a node from now on', async () => {
    const ops = ['a', 'b'].map((field) => ({ op: 'add', field, schema: text }));
    await propose('pair', ops, { title: 'Pairs' });
    const { id } = await make('pair', { title: 'P', a: 'one', b: 'two' });
    const swap = [
      ['a', 't'],
      ['b', 'a'],
      ['t', 'b'],
    ].map(([field, to]) => ({ op: 'change', field, to }));
    await propose('pair', swap, { rev: 1 });
    expect((await site.view().contentType('pair')).order).toEqual(['title', 'b', 'a']);
    expect(await fieldsOf(id)).toEqual({ title: 'P', a: 'two', b: 'one' });

    const named = [{ op: 'change', field: 'a', schema: { type: 'string', references: 'pair' } }];
    const call = { type: 'pair', rev: 2, ops: named, reason };
    expect(await site.refusal('propose_content_type', call)).toMatchObject({ details: { count: 1 } });
    const other = await make('pair', { title: 'Two' });
    await site.call('propose_content_type', call);
    expect(await fieldsOf(id)).toEqual({ title: 'P', a: other.id, b: 'one' });
  });

  it('that comes in between is seen by whoever was about to write an entry of the old type', async () => {
    const rev = await revOf('recipe');
    let runs = 0;
    const writing = site.change(async (draft) => {
      const made = await createEntry(draft, { type: 'recipe', slug: 'late', fields: { title: 'Late', serves: '4' } });
      runs++;
      if (runs === 1) {
        const ops = [{ op: 'remove', field: 'serves' }];
        await site.call('propose_content_type', { type: 'recipe', rev, ops, reason });
      }
      return made;
    });
    await expect(writing).rejects.toMatchObject({
      code: 'validation_failed',
      body: { details: { path: 'fields.serves' } },
    });
    expect(await site.refusal('get_entry', { entry: 'late' })).toMatchObject({ code: 'not_found' });
    expect(runs).toBe(1);
  });

  it('that made a type cannot be undone while entries are of it', async () => {
    const made = await site.call('propose_content_type', { type: 'poem', title: 'Poems', ops: [], reason });
    const { id } = await make('poem', { title: 'Ode' });
    expect(await site.refusal('undo_change', { snapshot: made.snapshot })).toMatchObject({
      code: 'in_use',
      details: { by: [id] },
    });
  });
});

describe('a field that names a node', () => {
  beforeAll(async () => {
    await propose('venue', [], { title: 'Venues', hasBody: false });
    const ops = [
      { op: 'add', field: 'venue', schema: { type: 'string', references: 'venue' } },
      { op: 'add', field: 'speakers', schema: { type: 'array', items: { type: 'string', references: 'person' } } },
    ];
    await propose('talk', ops, { title: 'Talks' });
    await site.call('propose_person', { set: { name: 'Grace Hopper' }, reason });
  });

  it('takes an id or a slug, keeps the id, is a backlink, and is shown by title', async () => {
    const venue = await make('venue', { title: 'Town hall' });
    const { id, rev } = await make('talk', { title: 'COBOL', venue: 'town-hall', speakers: ['grace-hopper'] });
    const fields = await fieldsOf(id);
    expect(fields).toEqual({ title: 'COBOL', venue: venue.id, speakers: [expect.stringMatching(/^pe_/)] });
    const { backlinks } = await site.data('get_backlinks', { node: venue.id });
    expect(backlinks).toMatchObject([{ source: id, role: 'field:venue' }]);
    expect(await site.refusal('delete_entry', { entry: venue.id, rev: 1 })).toMatchObject({ code: 'in_use' });

    const types = await Promise.all(['venue', 'talk'].map((name) => site.view().get('content_type', name)));
    await site.publish(id, ...types.map((type) => type.id));
    expect((await served('/talk/cobol')).html).not.toContain('Town hall');
    await site.publish(venue.id);
    const { html } = await served('/talk/cobol');
    expect(html).toContain('<dt>Venue</dt><dd><a href="/venue/town-hall">Town hall</a></dd>');
    expect(html).toContain('<dt>Speakers</dt><dd>Grace Hopper</dd>');

    await site.call('delete_entry', { entry: venue.id, rev: 1, unpublish: true, onInboundLinks: 'allow' });
    expect((await site.data('validate_draft', { node: id })).problems).toEqual([
      `It names ${venue.id}, which is not there.`,
    ]);
    await site.call('update_entry', { entry: id, rev, body: 'Other members can still change.' });
    expect((await served('/talk/cobol')).html).not.toContain(venue.id);
  });

  it.each<[Args, string]>([
    [{ venue: 'nowhere' }, 'fields.venue'],
    [{ venue: 'grace-hopper' }, 'fields.venue'],
    [{ venue: 'cobol' }, 'fields.venue'],
    [{ venue: 7 }, 'fields.venue'],
    [{ speakers: ['grace-hopper', 'nobody'] }, 'fields.speakers[1]'],
    [{ speakers: 'grace-hopper' }, 'fields.speakers'],
  ])('refuses %j', async (fields, path) => {
    expect(await site.refusal('create_entry', { type: 'talk', fields: { title: 'X', ...fields } })).toMatchObject({
      code: 'validation_failed',
      details: { path },
    });
  });
});
