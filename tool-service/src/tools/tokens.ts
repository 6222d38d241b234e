/** Bytes of UTF-8 for a token, at the least: what `maxTokens` arguments are counted with. */
export const bytesPerToken = 3;

/** Where an answer with long text ends when the caller names no limit: many clients show no more of it. */
export const defaultMaxTokens = 20_000;
