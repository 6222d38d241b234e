#!/usr/bin/env node
import { scopes as allScopes, modes } from '@cloudhal/shared/policy';
import { toolsets } from '@cloudhal/shared/tool';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CommandError, explainFailure } from './command-error.ts';
import { version } from './version.ts';

const defaultPort = 4321;
const defaultData = '.cloudhal';

/** The command line: each command is a file in `commands/`, loaded when it is called. */
function program(): Command {
  const cloudhal = new Command('cloudhal')
    .description('AI agents run your websites, with people in charge.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(cloudhal --help shows the commands and their options)');

  const data = () => new Option('--data <folder>', 'where the store is kept').default(defaultData);
  const port = () =>
    new Option('--port <number>', 'the port to listen on').default(defaultPort).argParser(wholeNumber(0, 65_535));

  cloudhal
    .command('init')
    .argument('[dir]', 'the project folder', '.')
    .description('Make a project folder ready: its store, and the file that tells MCP clients how to start the server.')
    .action(async (dir: string) => (await import('./commands/init.ts')).init({ dir }));

  cloudhal
    .command('start')
    .alias('dev')
    .description('Run everything here: Studio, the MCP endpoint and the sites.')
    .addOption(port())
    .addOption(data())
    .action(async (options) => (await import('./commands/start.ts')).start(options));

  cloudhal
    .command('mcp')
    .description('Serve an MCP client over stdio. Clients start this; it works on the project folder it starts in.')
    .addOption(new Option('--mode <mode>', 'how much the agent does on its own').choices(modes).default('edits'))
    .addOption(new Option('--scopes <list>', 'scopes, separated by commas; * is all').default('*').argParser(scopeList))
    .option('--skills <dir>', 'a folder of skills to serve beside the built-in ones')
    .addOption(new Option('--toolsets <list>', 'list only these toolsets, separated by commas').argParser(toolsetList))
    .option('--preview-url <url>', 'make preview links point here, such as at a running `cloudhal dev`')
    .addOption(data())
    .action(async (options) => (await import('./commands/mcp.ts')).mcp(options));

  cloudhal
    .command('studio')
    .description('Run Studio here, or say where it runs already.')
    .option('--no-auth', 'act as the owner without signing in; on this machine only')
    .addOption(port())
    .addOption(data())
    .action(async (options) => (await import('./commands/studio.ts')).studio(options));

  cloudhal
    .command('serve')
    .argument(
      '<service>',
      'gateway, policy, tools, audit or skills',
      oneOf(['gateway', 'policy', 'tools', 'audit', 'skills']),
    )
    .description('Run one service of a deployment, configured by CLOUDHAL_* variables.')
    .action(async (service: string) => (await import('./commands/serve.ts')).serve(service));

  cloudhal
    .command('migrate')
    .description('Bring the database of a deployment to this version (CLOUDHAL_MIGRATION_DATABASE_URL).')
    .action(async () => (await import('./commands/migrate.ts')).migrateDeployment());

  const keys = cloudhal.command('keys').description('Agent keys of this project.');
  keys
    .command('create')
    .argument('<name>', 'what the key is for')
    .description('Make an agent key. Its secret is shown once.')
    .addOption(new Option('--mode <mode>', 'how much the agent does on its own').choices(modes).default('edits'))
    .addOption(new Option('--scopes <list>', 'scopes, separated by commas; * is all').default('*').argParser(scopeList))
    .addOption(new Option('--days <number>', 'days until it expires').default(90).argParser(wholeNumber(1, 365)))
    .option('--json', 'print JSON')
    .addOption(data())
    .action(async (name: string, options) => (await import('./commands/keys.ts')).createKey(name, options));
  keys
    .command('list')
    .description('List the agent keys.')
    .option('--json', 'print JSON')
    .addOption(data())
    .action(async (options) => (await import('./commands/keys.ts')).listKeys(options));
  keys
    .command('revoke')
    .argument('<key-id>', 'the id of the key')
    .description('Revoke an agent key, within a second.')
    .option('--json', 'print JSON')
    .addOption(data())
    .action(async (id: string, options) => (await import('./commands/keys.ts')).revokeKey(id, options));

  const audit = cloudhal.command('audit').description('The record of what happened.');
  audit
    .command('verify')
    .description('Recompute the hash chains. Exits 1 and names the first bad line if one does not hold.')
    .option('--site <id>', 'only the chain of this site')
    .option('--checkpoints <folder>', 'signed checkpoints kept outside the database')
    .option('--pubkey <file>', 'the public keys of the checkpoints: checkpoint-jwks.json, or one key as PEM')
    .addOption(data())
    .action(async (options) => (await import('./commands/audit.ts')).verify(options));
  audit
    .command('export')
    .description('Write the record as JSON Lines that can be verified offline, or as CSV.')
    .option('--site <id>', 'only the chain of this site')
    .addOption(new Option('--format <format>', 'jsonl or csv').choices(['jsonl', 'csv']).default('jsonl'))
    .addOption(data())
    .action(async (options) => (await import('./commands/audit.ts')).exportAudit(options));

  cloudhal
    .command('import')
    .argument(
      '<source>',
      'a folder of Markdown files or of `cloudhal export`, or an export of WordPress (.xml) or Ghost (.json)',
    )
    .description('Import texts as drafts, with what became of each. Called again it goes on where it stopped.')
    .option('--type <name>', 'the content type', 'article')
    .option('--site <slug>', 'the site, where there are several')
    .addOption(
      new Option('--on-existing <what>', 'what to do where the slug exists').choices(['skip', 'fail']).default('skip'),
    )
    .option('--pages', 'import the pages of WordPress and Ghost, too')
    .option('--dry-run', 'only say what would happen')
    .option('--report <file>', 'write what became of each text as JSON')
    .addOption(data())
    .action(async (source: string, options) => (await import('./commands/import.ts')).importContent(source, options));

  cloudhal
    .command('export')
    .argument('[dir]', 'a new folder', './export')
    .description('Write the draft of a site as Markdown and JSON, from which import makes the same site again.')
    .option('--site <slug>', 'the site, where there are several')
    .addOption(data())
    .action(async (dir: string, options) => (await import('./commands/export.ts')).exportSite(dir, options));

  cloudhal
    .command('secrets')
    .description('Secrets of a deployment.')
    .command('init')
    .argument('[dir]', 'where to write them', './secrets')
    .description('Make a full set of secrets and key pairs for compose or Kubernetes.')
    .action(async (dir: string) => (await import('./commands/secrets.ts')).initSecrets(dir));

  cloudhal
    .command('demo')
    .description('Play the whole story against the running instance, and ask you for the approval.')
    .option('--yes', 'approve without asking, for scripts')
    .addOption(data())
    .action(async (options) => (await import('./commands/demo.ts')).demo(options));

  return cloudhal;
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It takes a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

function oneOf(values: readonly string[]) {
  return (text: string): string => {
    if (!values.includes(text)) throw new InvalidArgumentError(`It takes one of: ${values.join(', ')}.`);
    return text;
  };
}

function scopeList(text: string): string {
  return text === '*' ? text : listOf(allScopes, text, 'scope');
}

function toolsetList(text: string): string {
  return listOf(toolsets, text, 'toolset');
}

function listOf(known: readonly string[], text: string, what: string): string {
  const unknown = text.split(',').filter((name) => !known.includes(name));
  if (unknown.length === 0) return text;
  throw new InvalidArgumentError(`Unknown ${what} ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
}

/** Exit codes: 0 done, 1 it did not work, 2 it was called wrongly. */
async function main(): Promise<void> {
  try {
    await program().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : 1;
  }
}

await main();
