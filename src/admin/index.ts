export { type Admin, type AdminReply, type AdminRequest, createAdmin } from './create-admin.ts'
export type { AdminStream } from './define-route.ts'
export { adminRoutes } from './routes/index.ts'
export type { AdminAccess } from './security.ts'
