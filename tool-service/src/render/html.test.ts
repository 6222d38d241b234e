import { describe, expect, test } from 'vitest';
import { html, raw } from './html.ts';

describe('the html template', () => {
  test('escapes what is put in, in text and in attributes', () => {
    const text = `<b>"'&`;
    expect(html`<p title="${text}">${text}</p>`.text).toBe(
      '<p title="&lt;b&gt;&quot;&#39;&amp;">&lt;b&gt;&quot;&#39;&amp;</p>',
    );
  });

  test('leaves HTML that it made itself as it is, also in lists', () => {
    expect(html`<ul>${['<', 'b'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
      '<ul><li>&lt;</li><li>b</li></ul>',
    );
  });

  test('puts in nothing for what is absent, and zero for zero', () => {
    expect(html`a${undefined}${null}${false}${0}${[]}z`.text).toBe('a0z');
  });

  test('takes sanitized HTML only when told so', () => {
    expect(html`${raw('<i>x</i>')}`.text).toBe('<i>x</i>');
  });

  test('does not take an object for HTML that only looks like it', () => {
    const forged = JSON.parse('{"text":"<script>"}');
    expect(html`${forged}`.text).not.toContain('<script>');
  });

  test('leaves out characters that hide or reorder text', () => {
    expect(html`${'a\0b\u202Ec\u2066d\u0007e\u2069\u0085f\tg\nh'}`.text).toBe('abcdef\tg\nh');
  });
});
