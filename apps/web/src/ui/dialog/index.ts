export { askId } from "./askId.ts";
export { Dialog, type DialogSize } from "./Dialog.tsx";
export { DialogHost } from "./DialogHost.tsx";
export { alert, askCheck, askChoice, askText, closeAllDialogs, confirm, whileBusy } from "./requests.ts";
export { matching, searchAbove } from "./search.ts";
export { faultOf, textLimits, type TextFault, type TextRules } from "./textRules.ts";
