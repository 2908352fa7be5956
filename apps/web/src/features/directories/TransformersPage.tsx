import { transformers } from "@metrum/contract/accounting";
import { lazily } from "#lib/load";
import { TransformerCard } from "./TransformerCard.tsx";
import { transformerList } from "./transformerList.tsx";
import { directoryScreen } from "./directoryScreen.tsx";

const TransformerDialog = lazily(async () => ({
  default: (await import("./TransformerDialog.tsx")).TransformerDialog,
}));

/** Transformers of the company, and the card of one. */
export const TransformersPage = directoryScreen({
  kind: "transformers",
  list: transformerList,
  create: transformers.create,
  Card: TransformerCard,
  added: (props) => <TransformerDialog transformer={null} {...props} />,
});
