// Lists that are remembered in this browser alone.

/** What is remembered under a name; nothing, if it cannot be read. @param {string} name @returns {any[]} */
export function remembered(name) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {string} name @param {unknown[]} list */
export const remember = (name, list) => localStorage.setItem(name, JSON.stringify(list));
