"""The rules for cfn-lint in `examples`, run by cfn-lint itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("cfnlint", reason="cfn-lint is not installed")

RULES = Path(__file__).parents[1] / "examples" / "cfn_lint"
TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Stopped:
    Type: AWS::Events::Rule
    Properties:
      EventPattern:
        source: aws.ec2
        detail:
          state: [stopped]
      Targets:
        - Id: all
          Arn: !Sub arn:${AWS::Partition}:sns:${AWS::Region}:${AWS::AccountId}:topic
  Region:
    Type: AWS::Events::Rule
    Properties:
      EventPattern:
        source: [aws.ec2]
        region: [!Ref AWS::Region]
        account: [123456789012]
"""


def lint(path, *words):
    program = "import sys; from cfnlint.runner import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "--format", "json", "--append-rules", str(RULES), *words, "--", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    return [one for one in found if one["Rule"]["Id"] in ("E9010", "W9010", "I9010")]


def place(one):
    start, end = one["Location"]["Start"], one["Location"]["End"]
    lines = TEMPLATE.splitlines()
    assert start["LineNumber"] == end["LineNumber"]
    return lines[start["LineNumber"] - 1][start["ColumnNumber"] - 1 : end["ColumnNumber"] - 1]


def test_findings_have_their_places(tmp_path):
    path = tmp_path / "template.yaml"
    path.write_text(TEMPLATE)
    found = lint(path)
    assert [(one["Rule"]["Id"], place(one)) for one in found] == [("E9010", "aws.ec2"), ("W9010", "123456789012")]
    assert "`source`" in found[0]["Message"] and "[E0006]" in found[0]["Message"]


def test_a_template_without_patterns(tmp_path):
    path = tmp_path / "template.yaml"
    path.write_text('AWSTemplateFormatVersion: "2010-09-09"\nResources: {T: {Type: AWS::SNS::Topic}}\n')
    assert lint(path) == []


def test_disabled_like_any_other_rule(tmp_path):
    path = tmp_path / "template.yaml"
    path.write_text(TEMPLATE)
    assert {one["Rule"]["Id"] for one in lint(path, "--ignore-checks", "W9010")} == {"E9010"}
