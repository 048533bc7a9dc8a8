/** What stands in the place of a credential that is not shown. Apart from what knows credentials, which loads early. */
export const hidden = '***'
