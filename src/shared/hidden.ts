/**
 * Replacement for a hidden credential. It has its own module because the modules that read credentials load
 * early.
 */
export const hidden = '***'
