import type { Log } from '@cloudhal/shared/log';
import { createTransport } from 'nodemailer';

export type MailSettings = {
  /** `smtp://` or `smtps://`, with the user's name where there is one. */
  url: string;
  password?: string;
  /** Who the mail is from. */
  from: string;
};

export type Mail = { to: string; subject: string; text: string };
/** Sends in the background: whoever waits for an answer must not learn from its time whether there was an address. */
export type Mailer = { send(mail: Mail): void; stop(): Promise<void> };

/** Mail in plain text. A mail that cannot be sent is logged without its text, which may hold a link that opens something. */
export function createMailer({ url, password, from }: MailSettings, log: Log): Mailer {
  const { protocol, hostname, port, username } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password never travels in the clear.
    requireTLS: !secure && username !== '',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: password ?? '' } }),
  });
  const sending = new Set<Promise<void>>();
  return {
    send({ to, subject, text }) {
      const sent = transport
        .sendMail({ from, to, subject, text })
        .then(() => undefined)
        .catch((error: unknown) => log.warn({ err: error, subject }, 'a mail could not be sent'))
        .finally(() => sending.delete(sent));
      sending.add(sent);
    },
    async stop() {
      await Promise.all(sending);
      transport.close();
    },
  };
}
