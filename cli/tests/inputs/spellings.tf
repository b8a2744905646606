resource "aws_cloudwatch_event_rule" "a" {
  name        = "${var.p}-x-${var.env}"
  event_pattern = jsonencode({
    source      = ["aws.codepipeline"],
    resources   = [var.codepipeline_arn],
    detail      = {
      state = var.allowed_events_pipeline_stage
    }
  })
}
resource "aws_cloudwatch_event_rule" "b" {
  state = (
    var.enable_event_trigger
    ? "ENABLED"
    : "DISABLED"
  )
  event_pattern = jsonencode({
    source      = ["${var.ENV}.event"]
    detail-type = ["manual-trigger"]
    detail = {
      "repository" : {
        "name" : ["terraform_stg_${var.ENV}"]
        "key" : [{ "prefix" : "code/${each.key}" }]
      }
    }
    }
  )
}
resource "aws_cloudwatch_event_rule" "c" {
  event_pattern = <<PATTERN
{
  "source": [
    "aws.codebuild"
  ],
  "detail": {
    "build-status": ${jsonencode(var.codebuild_status)},
    "project-name": ["${var.codebuild_name}"] 
  }
}
PATTERN
}
resource "aws_cloudwatch_event_rule" "d" {
  event_pattern = <<EOF
  {
   "source":["aws.ecs"],
   "detail":{ "clusterArn": ["${var.cluster.arn}"], "bad": "x" }
 }
EOF
}
module "cwe" {
  source = "x"
  event_pattern = <<PATTERN
{"source": "aws.cloudtrail"}
PATTERN
}
