/** An export of WordPress as its versions write it, with the items given. */
export function wordpressExport(items: string): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Old harbour</title>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_display_name><![CDATA[Ada Lovelace]]></wp:author_display_name></wp:author>
  <wp:category><wp:cat_name><![CDATA[Boats]]></wp:cat_name></wp:category>
  ${items}
</channel>
</rss>`;
}

export function wordpressItem(fields: Record<string, string>, more = ''): string {
  const elements = Object.entries({ 'dc:creator': 'ada', 'wp:post_type': 'post', 'wp:status': 'publish', ...fields });
  const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
  return `<item>${elements.map(([name, text]) => `<${name}>${cdata(text)}</${name}>`).join('')}${more}</item>`;
}
