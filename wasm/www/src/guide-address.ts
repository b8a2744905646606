// Addresses of the guide, apart from its pages: those are loaded when the first is opened.

/** Whether an address is one of the guide's. */
export function isGuide(fragment: string): boolean {
  return /^#\/(?:[A-Za-z]\d{0,4})?$/.test(fragment);
}
