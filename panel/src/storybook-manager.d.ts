/** The used parts of two modules that Storybook's own page provides to addons. */
declare module 'storybook/manager-api' {
  export const types: { readonly PANEL: 'panel' }
  export const addons: {
    register(
      name: string,
      run: (api: { on(event: string, listener: (id: string) => void): unknown }) => void,
    ): void
    add(
      name: string,
      addon: {
        readonly type: 'panel'
        readonly title: string
        readonly render: (state: { readonly active?: boolean }) => unknown
      },
    ): void
  }
}

declare module 'react' {
  export function createElement(type: string, properties: object): unknown
}
