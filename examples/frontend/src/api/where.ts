/*
 * Where the API is, and whatever else depends on where the app runs. No other module asks.
 */

/** Beside the page: a proxy, a service worker, or the server of the page brings requests to the API. */
export const apiBase = new URL('api', document.baseURI).href

/** Whether a service worker answers instead of a server (`vite --mode mock`). */
export const isMocked = import.meta.env.MODE === 'mock'

/** What the form of the sign-in begins with. */
export const suggested = isMocked
  ? { apiKey: 'demo-api-key', email: 'mira@nordlicht.example', password: 'lantern' }
  : { apiKey: import.meta.env.VITE_API_KEY ?? '', email: '', password: '' }
