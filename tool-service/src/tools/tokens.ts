/** Bytes of UTF-8 for a token, at the least: what `maxTokens` arguments are counted with. */
export const bytesPerToken = 3;
