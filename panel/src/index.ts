export type { MountedPanel, PanelOptions } from './mount.tsx'
export { mountPanel } from './mount-panel.tsx'
