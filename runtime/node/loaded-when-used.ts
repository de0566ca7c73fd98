/** Something that costs time to load, loaded once and not before somebody asks. */
export function loadedWhenUsed<T>(load: () => Promise<T>) {
  let loading: Promise<T> | undefined
  return {
    get: () => (loading ??= load()),
    /** Undefined when nobody has asked. */
    loaded: () => Promise.resolve(loading),
  }
}
