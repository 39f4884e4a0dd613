export const lookUp = {};
