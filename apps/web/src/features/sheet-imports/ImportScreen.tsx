import { useParams } from "@tanstack/react-router";
import { ImportPage } from "./ImportPage.tsx";
import { ImportsPage } from "./ImportsPage.tsx";
import "./sheetImports.css";
import "./outcome.css";

/** The import in the address, or the beginning of one. */
export function ImportScreen() {
  const { id }: { readonly id?: string } = useParams({ strict: false });
  return id === undefined ? <ImportsPage /> : <ImportPage key={id} id={Number(id)} />;
}
