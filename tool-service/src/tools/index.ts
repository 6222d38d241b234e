import type { Tool } from '../define-tool.ts';
import { listActivity } from './activity/list-activity.ts';
import { approveComments } from './comments/approve-comments.ts';
import { deleteComment } from './comments/delete-comment.ts';
import { listComments } from './comments/list-comments.ts';
import { rejectComments } from './comments/reject-comments.ts';
import { replyToComment } from './comments/reply-to-comment.ts';
import { suggestCommentDecisions } from './comments/suggest-comment-decisions.ts';
import { addCorrection } from './corrections/add-correction.ts';
import { listCorrections } from './corrections/list-corrections.ts';
import { getChrome } from './design/get-chrome.ts';
import { getDesign } from './design/get-design.ts';
import { setChrome } from './design/set-chrome.ts';
import { setDesign } from './design/set-design.ts';
import { liftEmbargo } from './embargoes/lift-embargo.ts';
import { listEmbargoes } from './embargoes/list-embargoes.ts';
import { setEmbargo } from './embargoes/set-embargo.ts';
import { bulkUpdateEntries } from './entries/bulk-update-entries.ts';
import { createEntry } from './entries/create-entry.ts';
import { deleteEntry } from './entries/delete-entry.ts';
import { duplicateEntry } from './entries/duplicate-entry.ts';
import { editBody } from './entries/edit-body.ts';
import { getEntry } from './entries/get-entry.ts';
import { importEntries } from './entries/import-entries.ts';
import { listEntries } from './entries/list-entries.ts';
import { patchDraft } from './entries/patch-draft.ts';
import { restoreNode } from './entries/restore-node.ts';
import { updateEntry } from './entries/update-entry.ts';
import { brokenLinks } from './insight/broken-links.ts';
import { contentStats } from './insight/content-stats.ts';
import { getAnalytics } from './insight/get-analytics.ts';
import { topContent } from './insight/top-content.ts';
import { deleteAsset } from './media/delete-asset.ts';
import { fetchAssetUrl } from './media/fetch-asset-url.ts';
import { getAsset } from './media/get-asset.ts';
import { listAssets } from './media/list-assets.ts';
import { startAssetUpload } from './media/start-asset-upload.ts';
import { updateAsset } from './media/update-asset.ts';
import { uploadAsset } from './media/upload-asset.ts';
import { getMenu } from './menus/get-menu.ts';
import { listMenus } from './menus/list-menus.ts';
import { setMenu } from './menus/set-menu.ts';
import { addSection } from './pages/add-section.ts';
import { createPage } from './pages/create-page.ts';
import { deletePage } from './pages/delete-page.ts';
import { getPage } from './pages/get-page.ts';
import { listPages } from './pages/list-pages.ts';
import { movePage } from './pages/move-page.ts';
import { moveSection } from './pages/move-section.ts';
import { removeSection } from './pages/remove-section.ts';
import { updatePage } from './pages/update-page.ts';
import { updateSection } from './pages/update-section.ts';
import { listPeople } from './people/list-people.ts';
import { proposePerson } from './people/propose-person.ts';
import { cancelApproval } from './policy/cancel-approval.ts';
import { endElevation } from './policy/end-elevation.ts';
import { explainPolicy } from './policy/explain-policy.ts';
import { getMode } from './policy/get-mode.ts';
import { listApprovals } from './policy/list-approvals.ts';
import { requestElevation } from './policy/request-elevation.ts';
import { checkReadiness } from './preview/check-readiness.ts';
import { previewPage } from './preview/preview-page.ts';
import { renderPage } from './preview/render-page.ts';
import { validateDraft } from './preview/validate-draft.ts';
import { getPublishPlan } from './publish/get-publish-plan.ts';
import { listPublications } from './publish/list-publications.ts';
import { publish } from './publish/publish.ts';
import { rollback } from './publish/rollback.ts';
import { unpublish } from './publish/unpublish.ts';
import { addRedirect } from './redirects/add-redirect.ts';
import { deleteRedirect } from './redirects/delete-redirect.ts';
import { listRedirects } from './redirects/list-redirects.ts';
import { testRedirect } from './redirects/test-redirect.ts';
import { updateRedirect } from './redirects/update-redirect.ts';
import { createRelease } from './releases/create-release.ts';
import { deleteRelease } from './releases/delete-release.ts';
import { getRelease } from './releases/get-release.ts';
import { listReleases } from './releases/list-releases.ts';
import { scheduleRelease } from './releases/schedule-release.ts';
import { setReleaseItems } from './releases/set-release-items.ts';
import { unscheduleRelease } from './releases/unschedule-release.ts';
import { getBacklinks } from './search/get-backlinks.ts';
import { getNodeHistory } from './search/get-node-history.ts';
import { queryNodes } from './search/query-nodes.ts';
import { resolvePath } from './search/resolve-path.ts';
import { searchSite } from './search/search-site.ts';
import { getContentType } from './sites/get-content-type.ts';
import { getSite } from './sites/get-site.ts';
import { listContentTypes } from './sites/list-content-types.ts';
import { listSites } from './sites/list-sites.ts';
import { proposeContentType } from './sites/propose-content-type.ts';
import { updateSite } from './sites/update-site.ts';
import { getSkill } from './skills/get-skill.ts';
import { listSkills } from './skills/list-skills.ts';
import { createSnapshot } from './snapshots/create-snapshot.ts';
import { diffSnapshots } from './snapshots/diff-snapshots.ts';
import { getSnapshot } from './snapshots/get-snapshot.ts';
import { listSnapshots } from './snapshots/list-snapshots.ts';
import { undoChange } from './snapshots/undo-change.ts';
import { assignTerms } from './taxonomies/assign-terms.ts';
import { listTaxonomies } from './taxonomies/list-taxonomies.ts';
import { listTermProposals } from './taxonomies/list-term-proposals.ts';
import { listTerms } from './taxonomies/list-terms.ts';
import { proposeTerm } from './taxonomies/propose-term.ts';
import { deleteTranslation } from './translations/delete-translation.ts';
import { getTranslation } from './translations/get-translation.ts';
import { listLocales } from './translations/list-locales.ts';
import { saveTranslation } from './translations/save-translation.ts';
import { translationStatus } from './translations/translation-status.ts';

/** Every tool, in the order of the catalogue. Clients list them in this order. */
export const tools: readonly Tool[] = [
  listSites,
  getSite,
  updateSite,
  listContentTypes,
  getContentType,
  proposeContentType,

  listPages,
  getPage,
  createPage,
  updatePage,
  movePage,
  deletePage,
  addSection,
  updateSection,
  moveSection,
  removeSection,

  listEntries,
  getEntry,
  createEntry,
  updateEntry,
  editBody,
  patchDraft,
  addCorrection,
  listCorrections,
  duplicateEntry,
  deleteEntry,
  bulkUpdateEntries,
  importEntries,
  restoreNode,
  listPeople,
  proposePerson,

  searchSite,
  queryNodes,
  resolvePath,
  getBacklinks,
  getNodeHistory,

  listTaxonomies,
  listTerms,
  proposeTerm,
  listTermProposals,
  assignTerms,

  listMenus,
  getMenu,
  setMenu,

  listAssets,
  getAsset,
  startAssetUpload,
  uploadAsset,
  fetchAssetUrl,
  updateAsset,
  deleteAsset,

  listRedirects,
  testRedirect,
  addRedirect,
  updateRedirect,
  deleteRedirect,

  listComments,
  suggestCommentDecisions,
  approveComments,
  rejectComments,
  replyToComment,
  deleteComment,

  listLocales,
  translationStatus,
  getTranslation,
  saveTranslation,
  deleteTranslation,

  getDesign,
  setDesign,
  getChrome,
  setChrome,

  previewPage,
  renderPage,
  validateDraft,
  checkReadiness,

  createSnapshot,
  listSnapshots,
  getSnapshot,
  diffSnapshots,
  undoChange,

  publish,
  getPublishPlan,
  unpublish,
  rollback,
  listPublications,
  listReleases,
  getRelease,
  createRelease,
  setReleaseItems,
  scheduleRelease,
  unscheduleRelease,
  deleteRelease,
  listEmbargoes,
  setEmbargo,
  liftEmbargo,

  getAnalytics,
  topContent,
  contentStats,
  brokenLinks,

  getMode,
  requestElevation,
  endElevation,
  explainPolicy,
  listApprovals,
  cancelApproval,
  listActivity,
  listSkills,
  getSkill,
];
