export { design, loadDesign, pageTitle, plainDesign, tones, type Design } from "./design.ts";
export { useDesign } from "./useDesign.ts";
