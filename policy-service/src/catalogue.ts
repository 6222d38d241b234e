import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { contentHash } from '@cloudhal/shared/canonical-json';
import { catalog, events } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { Catalogue, ToolFacts } from '@cloudhal/shared/tool';

/** A tool and what its input schema says about the arguments that policy handles itself. */
export type KnownTool = ToolFacts & { schemaHash: string; accepts(argument: string): boolean };

export type Tools = {
  /** Throws `unknown_tool`, or `tool_unavailable` while the catalogue was never read. */
  find(name: string): Promise<KnownTool>;
  /** All of them, in the order of the catalogue. Throws `tool_unavailable` while it was never read. */
  all(): Promise<KnownTool[]>;
  stop: Stop;
};

const refreshEveryMs = 30_000;

/** The tool table of tool-service, kept current: read at once when it says so, and every 30 s anyway. */
export async function openCatalogue({ bus, log }: { bus: Bus; log: Log }): Promise<Tools> {
  let digest = '';
  let tools: ReadonlyMap<string, KnownTool> | undefined;
  let reading: Promise<void> | undefined;

  function refresh(): Promise<void> {
    reading ??= bus
      .request(catalog, {}, { timeoutMs: 2_000 })
      .then((catalogue) => {
        // The same schemas stay the same objects: each is compiled once.
        if (tools && catalogue.digest === digest) return;
        tools = index(catalogue);
        digest = catalogue.digest;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }
  const refreshQuietly = () =>
    refresh().catch((error) => log.warn({ err: error }, 'the tool catalogue could not be read'));

  const unsubscribe = await bus.subscribe(events.toolsChanged, () => void refreshQuietly());
  const timer = setInterval(refreshQuietly, refreshEveryMs);
  void refreshQuietly();

  async function known(): Promise<ReadonlyMap<string, KnownTool>> {
    if (tools === undefined) {
      await refresh().catch(() => {
        throw fail('tool_unavailable');
      });
    }
    return tools ?? new Map();
  }

  return {
    all: async () => [...(await known()).values()],
    async find(name) {
      const tool = (await known()).get(name);
      if (tool === undefined) throw fail('unknown_tool', { tool: cut(name, 64) });
      return tool;
    },
    async stop() {
      clearInterval(timer);
      await unsubscribe();
    },
  };
}

function index({ tools }: Catalogue): ReadonlyMap<string, KnownTool> {
  return new Map(
    tools.map((tool) => {
      const properties = (tool.inputSchema.properties ?? {}) as Record<string, unknown>;
      const schemaHash = contentHash(tool.inputSchema);
      return [tool.name, { ...tool, schemaHash, accepts: (argument) => Object.hasOwn(properties, argument) }];
    }),
  );
}
