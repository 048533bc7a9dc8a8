/** Returns the method whose route answers a request: HEAD is answered as GET, without the body (RFC 9110, section 9.3.2). */
export function routedMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

/** Returns the methods that the route of a method answers. */
export function answeredMethods(method: string): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

/** Returns whether requests of a method only read, and have no body. */
export function isReadMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns whether replies to requests of a method have a body. */
export function hasReplyBody(method: string | undefined): boolean {
  return method !== 'HEAD'
}
