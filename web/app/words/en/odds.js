export const odds = {};
