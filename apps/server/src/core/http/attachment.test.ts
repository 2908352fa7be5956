import { expect, test } from "vitest";
import { attachment } from "./attachment.ts";

test("API-021 a file is named in UTF-8, and in ASCII for clients that read nothing else", () => {
  expect(attachment("Приборы учёта (все).xlsx")).toBe(
    "attachment; filename=\"_______ _____ (___).xlsx\"; filename*=UTF-8''" +
      "%D0%9F%D1%80%D0%B8%D0%B1%D0%BE%D1%80%D1%8B%20%D1%83%D1%87%D1%91%D1%82%D0%B0%20%28%D0%B2%D1%81%D0%B5%29.xlsx",
  );
});

test("API-021 a name cannot leave its folder, its header or its ending", () => {
  const header = attachment('../../a"\r\nset-cookie: x\u202Excod.xlsx');

  expect(header).toBe(
    "attachment; filename=\"_.._a___set-cookie_ x_xcod.xlsx\"; filename*=UTF-8''_.._a___set-cookie_%20x_xcod.xlsx",
  );
  expect(attachment("...")).toBe("attachment; filename=\"file\"; filename*=UTF-8''file");
});
