export { type MountedPanel, mountPanel, type PanelOptions } from './mount.tsx'
