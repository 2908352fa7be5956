import type { Text } from "@metrum/vocabulary";

/** Types of companies; a registration always creates the first type. */
export const companyTypes: readonly { readonly id: number; readonly title: Text }[] = [
  { id: 1, title: { ru: "Организация", en: "Organisation", mn: "Байгууллага" } },
  {
    id: 2,
    title: { ru: "Индивидуальный предприниматель", en: "Sole proprietor", mn: "Хувиараа бизнес эрхлэгч" },
  },
  { id: 3, title: { ru: "Частное лицо", en: "Private person", mn: "Хувь хүн" } },
];
