/** The built-in theme: plain data in, whole pages out. */
export type { ShownComment } from './comments.ts';
export { contentSecurityPolicy } from './content-security-policy.ts';
export type { Alternate, EntryCard, MenuLink, NavItem, PreviewView, SiteFrame } from './context.ts';
export { entryCard, entryPath, textField } from './entry-list.ts';
export { previewBanner } from './preview-banner.ts';
export type { Reference, References } from './references.ts';
export { type CommentProblem, renderCommentForm, renderCommentThanks } from './render-comment-form.ts';
export { renderEntry } from './render-entry.ts';
export { renderIndex } from './render-index.ts';
export { renderNotFound } from './render-not-found.ts';
export { listedTypes, renderPage } from './render-page.ts';
export { renderTerm } from './render-term.ts';
