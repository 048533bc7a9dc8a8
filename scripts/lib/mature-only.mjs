/**
 * Has pnpm take versions only that have been out for four days: one that has just come may lack a package of its own that a
 * registry has not yet, and what CI says of a change must not hang on that.
 */
export const matureOnly = `--config.minimum-release-age=${4 * 24 * 60}`
