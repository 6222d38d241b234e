import express, { type Router } from 'express';
import { escapeHtml, sendPage } from './html.ts';

/** Where Studio is served from; until its app is built into the deployment, it says how to do the same over the API. */
export function studioPages(publicUrl: string): Router {
  const router = express.Router();
  router.get('{/*page}', (_request, response) => {
    const url = escapeHtml(publicUrl);
    sendPage(
      response,
      200,
      'Studio',
      `<p>Agents connect to <code>${url}/mcp</code> with a key of their own.</p>
<p>What people do here is served as JSON, for who is signed in:</p>
<ul>
<li><code>POST ${url}/api/auth/sign-in/email</code> with e-mail and password; <code>GET ${url}/api/session</code></li>
<li><code>${url}/api/approvals</code>, and <code>/approve</code> or <code>/reject</code> below each</li>
<li><code>${url}/api/elevations</code>, and <code>/grant</code>, <code>/refuse</code> or <code>/end</code> below each</li>
<li><code>${url}/api/agent-keys</code>, <code>${url}/api/people</code>, <code>${url}/api/site-rules/&lt;site&gt;</code>, <code>${url}/api/activity</code></li>
</ul>`,
    );
  });
  return router;
}
