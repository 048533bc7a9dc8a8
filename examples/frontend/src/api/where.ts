/*
 * The address of the API, and all else that depends on the place of the app. No other module reads it.
 */

/** Beside the page: a proxy, a service worker, or the server of the page brings requests to the API. */
export const apiBase = new URL('api', document.baseURI).href

/** True if a service worker answers instead of a server (`vite --mode mock`). */
export const isMocked = import.meta.env.MODE === 'mock'

/** Initial values of the sign-in form. */
export const suggested = isMocked
  ? { apiKey: 'demo-api-key', email: 'mira@nordlicht.example', password: 'lantern' }
  : { apiKey: import.meta.env.VITE_API_KEY ?? '', email: '', password: '' }
