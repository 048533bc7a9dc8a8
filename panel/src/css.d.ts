/** A sheet of styles, bundled as its text. */
declare module '*.css' {
  const text: string
  export default text
}
