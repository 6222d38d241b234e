import { randomBytes } from 'node:crypto';

/** A signed-in person of a deployment, as their browser calls the gateway. */
export type Person = {
  email: string;
  password: string;
  /** As the `Cookie` header has them. */
  cookie: string;
  send(
    path: string,
    options?: { method?: string; body?: unknown },
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  createKey(wish: object): Promise<{ id: string; secret: string }>;
};

/** Uses a one-time link: makes the account and signs in. */
export async function join(url: string, link: string, name = 'Olga Owner'): Promise<Person> {
  const token = new URL(link).searchParams.get('token');
  const email = `${randomBytes(4).toString('hex')}@example.org`;
  const password = randomBytes(12).toString('hex');
  const response = await fetch(`${url}/api/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ token, name, email, password }),
  });
  if (response.status !== 201) throw new Error(`joining answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

  async function send(path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        cookie,
        origin: new URL(url).origin,
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    const { status } = answer;
    return { status, body: status === 204 ? {} : ((await answer.json()) as Record<string, unknown>) };
  }
  return {
    email,
    password,
    cookie,
    send,
    async createKey(wish) {
      const { status, body } = await send('/api/agent-keys', { method: 'POST', body: wish });
      if (status !== 201) throw new Error(`making a key answered ${status}: ${JSON.stringify(body)}`);
      return { id: (body.key as { id: string }).id, secret: body.secret as string };
    },
  };
}

/** The one-time link that the token of a deployment opens while nobody owns it. */
export async function firstOwnerLink(url: string, deploymentToken: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/first-owner-link`, {
    method: 'POST',
    headers: { authorization: `Bearer ${deploymentToken}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (response.status !== 201) throw new Error(`the link answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { url: string }).url;
}

/** The first owner of a deployment, by its link. */
export async function firstOwner(url: string, deploymentToken: string): Promise<Person> {
  return join(url, await firstOwnerLink(url, deploymentToken));
}
