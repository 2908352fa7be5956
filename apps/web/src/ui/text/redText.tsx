import { Fragment, type ReactNode } from "react";
import { parseRed } from "./parseRed.ts";
import "./text.css";

/** A message of the server with its [red] parts; no other markup is interpreted. */
export function RedText({ children }: { readonly children: string }): ReactNode {
  return parseRed(children).map((part, at) =>
    part.isRed ? (
      <strong key={at} className="text-red">
        {part.text}
      </strong>
    ) : (
      <Fragment key={at}>{part.text}</Fragment>
    ),
  );
}
