"""lost_server"""
