resource "aws_sns_topic_subscription" "orders" {
  topic_arn     = aws_sns_topic.orders.arn
  filter_policy = jsonencode({ store = "example_corp" })
}

resource "aws_cloudwatch_event_rule" "stopped" {
  event_pattern = <<PATTERN
{
  "source": ["aws.ec2"],
  "detail": { "state": ["stopped"] }
}
PATTERN
}
