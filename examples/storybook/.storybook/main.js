export default {
  stories: ['../src/*.stories.js'],
  addons: ['@storybook/addon-docs', 'msw-storybook-addon'],
  framework: '@storybook/html-vite',
  staticDirs: ['../public'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
}
