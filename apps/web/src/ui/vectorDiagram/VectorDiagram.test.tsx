// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { draw, found, useScreen } from "#testing/dom.tsx";
import { VectorDiagram } from "./index.ts";

useScreen("vector");

it("CHART-008: the diagram is drawn on a canvas of 300 by 300", async () => {
  await draw(<VectorDiagram phases={[{ voltage: 230, current: 5 }]} />);

  const { width, height } = await found(() => document.querySelector("canvas"));
  const css = readFileSync(`${import.meta.dirname}/vectorDiagram.css`, "utf8");
  const shown = /\.vectors canvas \{[^}]*width: (\d+)px;\s*height: (\d+)px;/.exec(css)?.slice(1);
  expect([width, height, shown]).toEqual([300, 300, ["300", "300"]]);
});
