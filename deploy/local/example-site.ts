/** The small site that an empty store starts with: enough to read, change, preview and publish. */
export const exampleSite = {
  slug: 'example',
  title: 'The Harbour Letter',
  tagline: 'News from a small port, written by people and their agents.',
  locales: ['en'],
};

/** Calls of the tools that write the example content, in order. */
export const exampleCalls: { tool: string; arguments: Record<string, unknown> }[] = [
  {
    tool: 'create_page',
    arguments: {
      slug: 'home',
      title: 'Home',
      sections: [
        {
          type: 'hero',
          props: {
            heading: 'The Harbour Letter',
            text: 'News from a small port, written by people and their agents.',
            links: [{ label: 'Read the articles', href: '/articles' }],
          },
        },
        { type: 'entries', props: { heading: 'Newest', type: 'article', limit: 3 } },
        {
          type: 'quote',
          props: { text: 'Every change is a snapshot; nothing is lost.', source: 'The harbour master' },
        },
      ],
    },
  },
  {
    tool: 'create_page',
    arguments: {
      slug: 'about',
      title: 'About us',
      sections: [
        {
          type: 'text',
          props: {
            markdown:
              'This is an example site. Agents write here, people decide what is published.\n\n- Ask an agent to write an article.\n- Look at its preview.\n- Approve, or decline, when it asks to publish.\n',
          },
        },
        {
          type: 'call_to_action',
          props: { text: 'See what was published.', link: { label: 'All articles', href: '/articles' } },
        },
      ],
    },
  },
  {
    tool: 'create_entry',
    arguments: {
      type: 'article',
      slug: 'the-ferry-is-back',
      fields: {
        title: 'The ferry is back',
        summary: 'After six weeks in the dry dock the ferry crosses again, twice an hour.',
        publishedOn: '2026-03-02',
      },
      body: [
        'After six weeks in the dry dock the ferry crosses again. The first boat leaves at **six in the morning**, the last at eleven at night.',
        '## What was done',
        'The hull has been painted, both engines were taken apart and put together again, and the deck has new planks.',
        '| Day | First boat | Last boat |\n|---|---|---|\n| Weekdays | 06:00 | 23:00 |\n| Sundays | 08:00 | 22:00 |',
        '> We have missed it more than we thought we would.\n>\n> — a passenger on the first boat',
        '',
      ].join('\n\n'),
    },
  },
  {
    tool: 'create_entry',
    arguments: {
      type: 'article',
      slug: 'a-library-on-the-quay',
      fields: {
        title: 'A library on the quay',
        summary: 'The old customs house opens in May as a reading room.',
        publishedOn: '2026-03-09',
      },
      body: [
        'The old customs house opens in May as a reading room. It has been empty for eleven years.',
        '## How it came about',
        'Forty people gave books, nine gave their Saturdays, and the port gave the roof.',
        '1. The reading room opens on the first of May.\n2. The children’s corner follows in June.\n3. The archive moves in when the cellar is dry.',
        '',
      ].join('\n\n'),
    },
  },
];
