// Debian's browser, without a window and without a word to the network. CDA_CHROMIUM names another one.
import {chromium} from "playwright-core";

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CDA_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
