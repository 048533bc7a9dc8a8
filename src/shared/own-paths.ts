/** Where the pages of a server stand beside the API, and its admin API below them: no path of the document begins so. */
export const ownPath = '/__understudy__'
/** Where the admin API is. */
export const adminPath = `${ownPath}/api`
