/** Where `understudy serve` listens unless it is told otherwise: nothing outside this machine can reach it. */
export const defaultHost = '127.0.0.1'
/** The port there. */
export const defaultPort = 6789
/** Both, as the address of a server. */
export const defaultUrl = `http://${defaultHost}:${defaultPort}`
