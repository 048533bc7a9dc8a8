/** Something that answers Fetch API requests: an understudy, or a server around one. */
export interface Fetchable {
  fetch(request: Request): Promise<Response>
}
