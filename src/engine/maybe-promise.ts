/** A value, or a promise of it: nearly every request needs no promise. */
export type MaybePromise<Value> = Value | Promise<Value>
