import { describe, expect, it } from 'vitest';
import { tools } from './index.ts';

/** Name, scopes, effect, and what it is marked as: (r)ead-only, (d)estructive, (i)dempotent, (o)pen world. In listing order. */
const rows = `
list_sites            site:read                     read          r-i-
get_site              site:read                     read          r-i-
update_site           site:write                    edit          --i-
list_content_types    schema:read                   read          r-i-
get_content_type      schema:read                   read          r-i-
propose_content_type  schema:write                  person        ----
list_pages            content:read                  read          r-i-
get_page              content:read                  read          r-i-
create_page           content:write                 edit          ----
update_page           content:write                 edit          --i-
move_page             content:write                 edit          ----
delete_page           content:delete                delete        -di-
add_section           content:write                 edit          ----
update_section        content:write                 edit          --i-
move_section          content:write                 edit          --i-
remove_section        content:write                 edit          -di-
list_entries          content:read                  read          r-i-
get_entry             content:read                  read          r-i-
create_entry          content:write                 edit          ----
update_entry          content:write                 edit          --i-
edit_body             content:write                 edit          --i-
patch_draft           content:write                 edit          --i-
add_correction        content:write                 edit          --i-
list_corrections      content:read                  read          r-i-
duplicate_entry       content:write                 edit          ----
delete_entry          content:delete                delete        -di-
bulk_update_entries   content:write                 edit          ----
import_entries        content:write                 delete        ----
restore_node          content:write                 edit          --i-
list_people           content:read                  read          r-i-
propose_person        people:write                  person        ----
search_site           content:read                  read          r-i-
query_nodes           content:read                  read          r-i-
resolve_path          content:read                  read          r-i-
get_backlinks         content:read                  read          r-i-
get_node_history      content:read                  read          r-i-
list_taxonomies       content:read                  read          r-i-
list_terms            content:read                  read          r-i-
propose_term          taxonomy:write                edit          ----
list_term_proposals   content:read                  read          r-i-
assign_terms          content:write                 edit          --i-
list_menus            content:read                  read          r-i-
get_menu              content:read                  read          r-i-
set_menu              menus:write                   edit          --i-
list_assets           media:read                    read          r-i-
get_asset             media:read                    read          r-i-
start_asset_upload    media:write                   ask           ----
upload_asset          media:write                   edit          --i-
fetch_asset_url       media:write                   edit          --io
update_asset          media:write                   edit          --i-
delete_asset          media:write,content:delete    delete        -di-
list_redirects        redirects:read                read          r-i-
test_redirect         redirects:read                read          r-i-
add_redirect          redirects:write               person        ----
update_redirect       redirects:write               person        --i-
delete_redirect       redirects:write               person        -di-
list_comments         comments:read                 read          r-i-
suggest_comment_decisions comments:triage           edit          --i-
approve_comments      comments:moderate             person        --i-
reject_comments       comments:moderate             publish       -di-
reply_to_comment      comments:moderate             person        ----
delete_comment        comments:moderate,content:delete person     -di-
list_locales          content:read                  read          r-i-
translation_status    content:read                  read          r-i-
get_translation       content:read                  read          r-i-
save_translation      translations:write            edit          --i-
delete_translation    translations:write,content:delete  delete   -di-
get_design            design:read                   read          r-i-
set_design            design:write                  edit          --i-
get_chrome            design:read                   read          r-i-
set_chrome            design:write                  edit          --i-
preview_page          content:read,preview          view          --i-
render_page           content:read,checks:run       view          r-i-
validate_draft        content:read                  read          r-i-
check_readiness       content:read                  read          r-i-
create_snapshot       snapshots:write               edit          ----
list_snapshots        snapshots:read                read          r-i-
get_snapshot          snapshots:read                read          r-i-
diff_snapshots        snapshots:read                read          r-i-
undo_change           content:write                 edit          ----
publish               publish                       auto-publish  -di-
get_publish_plan      publish,content:read          read          r-i-
unpublish             publish                       publish       -di-
rollback              publish                       publish       -di-
list_publications     content:read                  read          r-i-
list_releases         releases:read                 read          r-i-
get_release           releases:read                 read          r-i-
create_release        releases:write                edit          ----
set_release_items     releases:write                edit          --i-
schedule_release      publish,releases:write        auto-publish  --i-
unschedule_release    releases:write                edit          --i-
delete_release        releases:write                delete        -di-
list_embargoes        content:read                  read          r-i-
set_embargo           content:write                 edit          --i-
lift_embargo          publish                       person        -di-
get_analytics         analytics:read                read          r-i-
top_content           analytics:read                read          r-i-
content_stats         analytics:read                read          r-i-
broken_links          analytics:read                read          r-i-
get_mode              -                             read          r-i-
request_elevation     -                             ask           ----
end_elevation         -                             ask           --i-
explain_policy        -                             read          r-i-
list_approvals        -                             read          r-i-
cancel_approval       -                             ask           --i-
list_activity         activity:read                 read          r-i-
list_skills           -                             read          r-i-
get_skill             -                             read          r-i-
`;

const expected = rows
  .trim()
  .split('\n')
  .map((row) => row.split(/\s+/));

describe('the catalogue', () => {
  it('has these tools in this order', () => {
    expect(tools.map(({ facts }) => facts.name)).toEqual(expected.map(([name]) => name));
  });

  it.each(expected)('%s needs %s and is %s %s', (name, scopes, effect, hints) => {
    const { facts } = tools.find((tool) => tool.facts.name === name)!;
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = facts.annotations;
    expect(facts.scopes.join(',') || '-').toBe(scopes);
    expect(facts.effect).toBe(effect);
    expect(
      [readOnlyHint && 'r', destructiveHint && 'd', idempotentHint && 'i', openWorldHint && 'o']
        .map((hint) => hint || '-')
        .join(''),
    ).toBe(hints);
    expect(facts.mutates).toBe(!['read', 'view', 'ask'].includes(facts.effect));
  });

  it('has a core set for clients that show few tools', () => {
    const core = tools.filter(({ facts }) => facts.toolsets.includes('core')).map(({ facts }) => facts.name);
    expect(core.sort()).toEqual(
      [
        'list_sites',
        'get_site',
        'list_pages',
        'get_page',
        'list_entries',
        'get_entry',
        'search_site',
        'create_entry',
        'update_entry',
        'edit_body',
        'patch_draft',
        'preview_page',
        'get_publish_plan',
        'publish',
        'get_mode',
        'request_elevation',
      ].sort(),
    );
  });

  it.each(tools.map((tool) => [tool.facts.name, tool] as const))('%s refuses what it does not know', (_, { check }) => {
    expect(() => check({ no_such_argument: 1 })).toThrow(/not valid/);
  });

  it('says for every rev where it is read', () => {
    for (const { facts } of tools) {
      const { rev } = facts.inputSchema.properties as { rev?: { description: string } };
      if (rev) expect(rev.description).toMatch(/(?:get|list)_\w+|that you read/);
    }
  });
});
