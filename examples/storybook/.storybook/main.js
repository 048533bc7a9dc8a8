export default {
  stories: ['../src/*.stories.jsx'],
  addons: ['@storybook/addon-docs', 'msw-storybook-addon', 'pipeline-understudy/storybook'],
  framework: '@storybook/react-vite',
  staticDirs: ['../public'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
}
