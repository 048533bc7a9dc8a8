interface ImportMetaEnv {
  /** The API key that the form of the sign-in begins with. */
  readonly VITE_API_KEY?: string
}
