"""Prints how many tests of a JUnit file passed and failed. Skipped tests are neither."""
import sys
import xml.etree.ElementTree as xml

cases = list(xml.parse(sys.argv[1]).getroot().iter("testcase"))
failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
skipped = sum(case.find("skipped") is not None for case in cases)
print(len(cases) - failed - skipped, failed)
