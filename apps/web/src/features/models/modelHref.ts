/** Where the data sheet of a model stands. */
export const modelHref = (id: number): string => `#/cloud/devices/models/${String(id)}`;
