// The limits of import_entries, with room for the JSON around the text.
const batchItems = 50;
const batchBytes = 300 * 1024;

/** Parts of a list that fit into one call each; what is larger than a call goes alone, and is refused there. */
export function* batches<T>(items: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (batch.length > 0 && (batch.length === batchItems || bytes + size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
