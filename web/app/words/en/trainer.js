export const trainer = {};
